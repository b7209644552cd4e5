/** What is asked of a copy is stopped after this long, without the start of its process: somebody waits for it. */
export const copyMsMax = 10_000;

/** Copies that are read at the same time, each by a process of its own. */
export const copiesMax = 4;

/** What the process of a copy may answer: a thousand rows of short cells. */
export const copyAnswerBytesMax = 8 * 1024 * 1024;

/** Memory of the process of a copy, beside that of SQLite. */
export const copyHeapMegabytes = 256;

export const rowsDefault = 100;

/** Of a cell or a value. Export has all of it. */
export const shownCharactersMax = 4_000;

/** Pieces of an export. */
export const exportPieceBytes = 256 * 1024;

/** A value of more bytes is shown, and not edited: a person does not, and the page would be slow. */
export const editedBytesMax = 64 * 1024;

/** What an audit log keeps of a statement or a value. */
export const notedCharactersMax = 1_000;
