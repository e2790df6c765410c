"""What a Python developer would serve: FastAPI and ONNX Runtime.

python_server.py MODEL.onnx TOKENIZER PORT
"""

import sys

import numpy as np
import sentencepiece
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from ort_contestant import make_session

LABELS = ("negative", "positive")

session = make_session(sys.argv[1])
pieces = sentencepiece.SentencePieceProcessor(model_file=sys.argv[2])
app = FastAPI()


class Question(BaseModel):
    inputs: str


@app.get("/readyz")
async def ready() -> dict[str, str]:
    return {"status": "ready"}


@app.post("/predict")
async def predict(question: Question) -> list[dict[str, str | float]]:
    ids = np.array([[pieces.bos_id(), *pieces.encode(question.inputs), pieces.eos_id()]])
    (logits,) = session.run(None, {"ids": ids, "mask": np.ones_like(ids)})[0]
    exponentials = np.exp(logits - logits.max())
    scores = (exponentials / exponentials.sum()).tolist()
    return [{"label": label, "score": score} for label, score in zip(LABELS, scores, strict=True)]


uvicorn.run(app, port=int(sys.argv[3]), log_level="warning", access_log=False)
