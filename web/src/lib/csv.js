// @ts-check
// Tables as RFC 4180 has them.

/** @param {(string | number | null)[][]} rows  the first holds the names with their units */
export function to_csv(rows) {
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

/** @param {string | number | null} value */
function field(value) {
  if (value === null) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
