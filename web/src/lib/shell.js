// @ts-check
// The page's questions as commands for a shell.

/**
 * @param {string} origin
 * @param {string} path
 * @param {object} body
 */
export function curl_line(origin, path, body) {
  const data = quoted(JSON.stringify(body));
  return `curl -s ${origin}${path} -H 'Content-Type: application/json' -d ${data}`;
}

/**
 * Between single quotes a shell changes nothing.
 * @param {string} text
 */
function quoted(text) {
  return `'${text.replace(/'/g, "'\\''")}'`;
}
