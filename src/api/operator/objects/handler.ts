import type { Input, objectOperations, PlainReply, Reply } from '#contract';
import type { Inspection } from './inspection.ts';

type Operations = typeof objectOperations;

/** The handler of each operation on objects. */
export type InspectionHandlers = {
  readonly [Id in keyof Operations]: (
    inspection: Inspection,
    input: Input<Operations[Id]>,
  ) => Promise<Reply | PlainReply>;
};
