// What a Node developer would serve: fastify and onnxruntime-node.
// node fastify_server.mjs NODE_MODULES MODEL.onnx KNOWN_TEXTS.json PORT
// It looks its token ids up by text, so that no tokenizer slows it down.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [nodeModules, model, known, port] = process.argv.slice(2);
const require = createRequire(`${nodeModules}/`);
const fastify = require('fastify')();
const { InferenceSession, Tensor } = require('onnxruntime-node');

const idsOf = JSON.parse(readFileSync(known, 'utf8'));
const session = await InferenceSession.create(model, {
  graphOptimizationLevel: 'all', intraOpNumThreads: 1, interOpNumThreads: 1,
});

const schema = {
  body: { type: 'object', required: ['inputs'], properties: { inputs: { type: 'string' } } },
};

fastify.get('/readyz', async () => ({ status: 'ready' }));
fastify.post('/predict', { schema }, async (request) => {
  const ids = BigInt64Array.from(idsOf[request.body.inputs], BigInt);
  const shape = [1, ids.length];
  const { logits } = await session.run({
    ids: new Tensor('int64', ids, shape), mask: new Tensor('int64', ids.slice().fill(1n), shape),
  });
  const [negative, positive] = logits.data;
  const score = 1 / (1 + Math.exp(negative - positive));
  return [{ label: 'negative', score: 1 - score }, { label: 'positive', score }];
});
await fastify.listen({ port: Number(port), host: '127.0.0.1' });
