/** The events of one block. Each section is verified and decoded on first use. */
import { type BlockHead, listSections, readSection } from './block.ts';
import { ColumnReader } from './column-reader.ts';
import { readSequences, sequencesSection } from './columns.ts';

export class OpenBlock extends ColumnReader {
  readonly head: BlockHead;
  readonly #readSequences: () => readonly number[];
  #sequences: readonly number[] | undefined;

  constructor(bytes: Buffer, head: BlockHead, file: string) {
    const entries = listSections(bytes, head);
    const read = (section: number): string | undefined => {
      const entry = entries[section];
      return entry && readSection(bytes, entry, { file, offset: head.offset });
    };
    super(read, head.firstMs);
    this.head = head;
    this.#readSequences = () => readSequences(JSON.parse(read(sequencesSection)!) as number[]);
  }

  get sequences(): readonly number[] {
    this.#sequences ??= this.#readSequences();
    return this.#sequences;
  }
}
