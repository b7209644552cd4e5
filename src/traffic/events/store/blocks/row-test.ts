/** Tests of the events of a block, by row. */
import type { OpenBlock } from './open-block.ts';

export type RowTest = (row: number) => boolean;
export type BlockTest = (block: OpenBlock) => RowTest;

/** The test if the values of the block already exclude a match: no further fields need to be decoded. */
export const never: RowTest = () => false;
export const always: RowTest = () => true;
