/**
 * Whether the notes of an object's alarms in its storage are consistent: each alarm was set, started and ended, in the
 * order of the commits. A run on a host that dies has no end, and another one starts again.
 */

/** Returns the contradictions, in words. */
export function checkAlarms(object: string, notes: readonly string[]): string[] {
  const problems: string[] = [];
  let running: string | undefined;
  for (const note of notes) {
    const [what, run] = note.split(' ');
    if (what === 'begin') running = run;
    if (what !== 'end') continue;
    if (run !== running) problems.push(`${object}: two alarms ran at a time: ${note}`);
    running = undefined;
  }
  return problems;
}

/** Whether an alarm has run from start to end since the last one was set. */
export function isRung(notes: readonly string[]): boolean {
  const since = notes.slice(notes.findLastIndex((note) => note.startsWith('set ')) + 1);
  const begun = new Set(since.filter((note) => note.startsWith('begin ')));
  return since.some((note) => note.startsWith('end ') && begun.has(note.replace('end', 'begin')));
}
