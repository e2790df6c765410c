#pragma once

namespace notbad::ops {

// Each holds those before it: kAvx2 with FMA, kAvx512 with F, BW, VL and DQ.
enum class Instructions { kAvx2, kAvx512, kAvx512Vnni, kAvx512Bf16, kAmx };

// Whether this processor has them and ONEDNN_MAX_CPU_ISA allows them. Any thread.
bool processor_has(Instructions instructions);

}  // namespace notbad::ops
