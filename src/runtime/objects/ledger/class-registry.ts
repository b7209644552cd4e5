/** The permanent number of a class, under which its objects are stored. */
export interface RecordedClass {
  readonly number: number;
  readonly name: string;
}

export interface ClassRegistry {
  /** By key: the kind of storage, a colon and the unique key of the class. */
  recorded(): Promise<Map<string, RecordedClass>>;
  /** Records a class under its key, or another name for it; returns its number. */
  record(key: string, name: string): Promise<number>;
}
