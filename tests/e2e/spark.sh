#!/usr/bin/env bash
# spark.sh BIN_DIR: `notbad classify` as PySpark's pipe, on this machine. By hand: it installs a Java runtime and, below
# build/, PySpark from PyPI, 0.5 GB.
set -euo pipefail
bin=$(readlink -f "$1")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../../server/packages.sh"
notbad_install default-jre-headless python3-venv procps
. "$here/server_process.sh"

tools=$here/../../build/spark
if [ ! -x "$tools/bin/spark-submit" ]; then
  python3 -m venv "$tools"
  # Debian 12 has Java 17, which Spark 4 asks for as the least.
  "$tools/bin/pip" install --quiet 'pyspark>=4,<5'
fi
python3 "$here/bulk_texts.py" write >"$scratch/texts"
export PATH=$bin:$PATH SPARK_LOCAL_IP=127.0.0.1
notbad classify "$scratch/texts" >"$scratch/alone"
timeout 900 "$tools/bin/python" - "$scratch/texts" "$scratch/spark" 2>"$scratch/server.log" <<'PYTHON' || fail "Spark's job fails"
import os
import sys

from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
texts = spark.sparkContext.textFile("file://" + sys.argv[1], minPartitions=3)
assert texts.getNumPartitions() >= 3
labels = texts.pipe("notbad classify --workers 1", env={"PATH": os.environ["PATH"]}, checkCode=True).collect()
with open(sys.argv[2], "w", encoding="utf-8") as file:
    file.write("".join(label + "\n" for label in labels))
spark.stop()
PYTHON
python3 "$here/bulk_texts.py" compare "$scratch/alone" "$scratch/spark" || fail "Spark gives something else (above)"
echo "1 passed, 0 failed"
