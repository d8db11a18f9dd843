// Asks the program for what changes nothing.

/**
 * The answer to a question; an error has the program's words.
 * @param {string} path @param {Record<string, string | null>} [query] @returns {Promise<any>}
 */
export async function get(path, query = {}) {
  const given = Object.entries(query).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const text = new URLSearchParams(given).toString();
  let answer;
  try {
    answer = await fetch(text ? `${path}?${text}` : path);
  } catch {
    throw new Error('The program does not answer. Start it again.');
  }
  if (!answer.ok) throw new Error((await answer.text()) || 'The program refused that.');
  return answer.json();
}
