// lint.mjs FILE: fails where FILE is not an OpenAPI document of version 3.1, or refers to what it
// does not hold.
import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";

const document = JSON.parse(await readFile(process.argv[2], "utf8"));
const validator = new Validator();
const result = await validator.validate(document);
if (!result.valid) {
  console.error(JSON.stringify(result.errors, null, 2));
  process.exit(1);
}
if (validator.version !== "3.1") {
  console.error(`expected version 3.1, found ${validator.version}`);
  process.exit(1);
}
validator.resolveRefs();
console.log(`${process.argv[2]} is OpenAPI ${validator.version}`);
