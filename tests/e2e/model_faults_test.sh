#!/usr/bin/env bash
# model_faults_test.sh BIN_DIR MODEL_DIR: a damaged model folder ends both programs in words, never in a crash.
set -euo pipefail
bin=$(readlink -f "$1")
shipped=$(readlink -f "$2")
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
golden=$here/../golden
. "$here/server_process.sh"

faults=0

# new_folder NAME: the shipped model by links, so that one file can be replaced; sets $folder.
new_folder() {
  folder=$scratch/$1
  mkdir "$folder"
  ln -s "$shipped"/* "$folder/"
  weights=$folder/model.safetensors
}

# own_copy FILE...: real files in place of the links.
own_copy() {
  local file
  for file in "$@"; do
    cp --remove-destination "$(readlink -f "$file")" "$file"
  done
}

# new_manifest: as if the folder had been exported as it stands.
new_manifest() {
  rm "$folder/MANIFEST.sha256"
  (cd "$folder" && sha256sum -- * >"$scratch/manifest" && mv "$scratch/manifest" MANIFEST.sha256)
}

# expect_refusal PATTERN: both programs say it within 20 s, with exit code 3 and nothing that only a crash prints.
expect_refusal() {
  local program
  for program in "notbad-server --port 0" "notbad classify"; do
    # shellcheck disable=SC2086 # the words of the program are arguments
    expect_exit 3 "$1" timeout 20 "$bin"/$program --model "$folder" </dev/null
    if grep -qE '(^|[ (])0x[0-9a-f]{4,}|terminate called|Sanitizer|std::|^ *#[0-9]|listening on' "$scratch/out"; then
      fail "$program with a fault says more than its message: $(cat "$scratch/out")"
    fi
  done
  faults=$((faults + 1))
}

folder=$scratch/nowhere
expect_refusal "$folder/.*missing.*(restore|export)"

new_folder no_weights
rm "$weights"
expect_refusal "$weights: missing.*(restore|export)"

new_folder empty
rm "$weights"
: >"$weights"
expect_refusal "$weights: changed since the export.*restore"

new_folder empty_export
rm "$weights"
: >"$weights"
new_manifest
expect_refusal "$weights: is empty"

new_folder truncated
rm "$weights"
head -c 1000000 "$shipped/model.safetensors" >"$weights"
expect_refusal "$weights: changed since the export.*restore"

new_manifest
expect_refusal "$weights: .*cut off.*(copy|export)"

new_folder fifo
rm "$weights"
mkfifo "$weights"
expect_refusal "$weights: .*not a regular file"

new_folder directory
rm "$weights"
mkdir "$weights"
expect_refusal "$weights: .*not a regular file"

new_folder symlink_loop
ln -sf model.safetensors "$weights"
expect_refusal "$weights: .*not a regular file"

new_folder bit_flipped
own_copy "$weights"
printf 'z' | dd of="$weights" bs=1 seek=8 conv=notrunc status=none # { and z differ in one bit
expect_refusal "$weights: changed since the export.*restore"

new_manifest
expect_refusal "$weights: .*not valid JSON.*export"

new_folder not_a_number
own_copy "$weights"
# All ones are NaN in every type of float.
printf '\377\377\377\377' | dd of="$weights" bs=1 seek=$(($(stat -c %s "$weights") - 4)) conv=notrunc status=none
new_manifest
expect_refusal "$weights: weight \"[a-z0-9_.]+\" holds NaN or infinity.*export"

new_folder other_vocabulary
own_copy "$folder/config.json"
sed -i 's/"vocab_size": [0-9]*/"vocab_size": 7/' "$folder/config.json"
new_manifest
expect_refusal "$weights: weight \"embeddings.token.weight\" should be \[7, .*export"

new_folder other_tokenizer
rm "$folder/config.json" "$weights"
cp "$golden/tiny_config.json" "$folder/config.json"
cp "$golden/tiny_model.safetensors" "$weights"
new_manifest
expect_refusal "$folder/tokenizer.model: vocabulary size [0-9]+, config.json says 40 .*export"

if [ "$(id -u)" -ne 0 ]; then # root may read everything
  new_folder unreadable
  own_copy "$weights"
  chmod 000 "$weights"
  expect_refusal "$weights: cannot be read"
fi

echo "1 passed, 0 failed ($faults faults, two programs)"
