// Text of rows and columns (RFC 4180).

const quoted = (text) => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvRow = (cells) => cells.map(quoted).join(",") + "\r\n";

/** Returns the delimiter of a text by its first line. */
function delimiterOf(text) {
  const line = /^[^\r\n]*/.exec(text)[0];
  const count = (mark) => line.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** Returns the rows of a text, each an array of cells. Throws if a quotation mark is not closed. */
export function parseCsv(text) {
  const delimiter = delimiterOf(text);
  const rows = [];
  let row = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const endRow = () => {
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  };
  while (at < text.length) {
    let cell;
    if (text[at] === '"') [cell, at] = quotedCell(text, at + 1, rows.length + 1);
    else {
      const start = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at++;
      cell = text.slice(start, at);
    }
    row.push(cell);
    if (text[at] === delimiter) {
      at++;
      if (at === text.length || text[at] === "\n" || text[at] === "\r") row.push("");
      if (at < text.length && text[at] !== "\n" && text[at] !== "\r") continue;
    }
    while (text[at] === "\r" || text[at] === "\n") at++;
    endRow();
  }
  return rows;
}

/** Returns the cell that begins after a quotation mark, and where it ends. */
function quotedCell(text, start, row) {
  for (let at = start; ;) {
    const end = text.indexOf('"', at);
    if (end < 0) throw new Error(`Row ${row}: a quotation mark is not closed.`);
    if (text[end + 1] !== '"') return [text.slice(start, end).replaceAll('""', '"'), end + 1];
    at = end + 2;
  }
}
