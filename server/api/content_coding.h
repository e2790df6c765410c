#pragma once

#include "server/api/message.h"

namespace notbad::api {

// Whether Accept-Encoding names gzip with another weight than 0.
bool takes_gzip(const Request& request);

// Compresses the body for a client that takes gzip, where its size is one at which that pays; from
// 8 KiB to 1 MiB. Says so in Content-Encoding, and in Vary whoever asks. Leaves others as they are.
void compress(const Request& request, Response& response);

}  // namespace notbad::api
