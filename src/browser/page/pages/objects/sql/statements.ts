/** The statements that were run on an object, newest first, kept while the window is open. */
const statementsMax = 50;
const charactersMax = 20_000;

function keyOf(place: string): string {
  return `gatehouse-sql ${place}`;
}

export function readStatements(place: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

export function keepStatement(place: string, sql: string): readonly string[] {
  const others = readStatements(place).filter((each) => each !== sql);
  const kept = [sql.slice(0, charactersMax), ...others].slice(0, statementsMax);
  try {
    sessionStorage.setItem(keyOf(place), JSON.stringify(kept));
  } catch {
    // If the storage is full, they are lost with the page.
  }
  return kept;
}
