/** Tests of the events of a block, by row. */
import type { OpenBlock } from './open-block.ts';

export type RowTest = (row: number) => boolean;
export type BlockTest = (block: OpenBlock) => RowTest;

/** What a test is when the values of the block already tell: further fields need not be decoded. */
export const never: RowTest = () => false;
export const always: RowTest = () => true;
