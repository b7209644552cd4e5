/** The route table: every operation of the API. */
import { filterOperations } from './operations/filters.ts';

export const operations = {
  ...filterOperations,
};

export type OperationId = keyof typeof operations;
