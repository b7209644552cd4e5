/** The position of a directive: the name of the file as given, lines counted from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** A rule file that cannot be used, with the line that contains the error. None of the files is in force then. */
export class SecLangError extends Error {
  override readonly name = 'SecLangError';
  readonly place: SourcePlace;

  constructor(message: string, place: SourcePlace) {
    super(`${place.file}:${place.line}: ${message}`);
    this.place = place;
  }
}
