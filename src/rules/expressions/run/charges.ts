/** What running expressions costs, beside their patterns, which charge their own work: see `StepBudget`. */
import { suspectSteps } from '#base';
import type { Value } from '../values.ts';

/** Entering a part of a rule, whatever it does. */
export const stepsPerClause = 4;

/** What functions take for a byte of what they are given or return, at most. */
const stepsPerByteOfCall = 4;

/** Charges a function for a value, and returns the value. */
export function chargeCall<Charged extends Value | undefined>(value: Charged): Charged {
  if (typeof value === 'string') suspectSteps(value.length * stepsPerByteOfCall);
  else if (Array.isArray(value)) suspectSteps(value.length * stepsPerByteOfCall);
  return value;
}

/** Searches for a text by comparing it at every place, in the worst case; V8 compares several bytes at once. */
export function containsText(value: string, literal: string): boolean {
  suspectSteps(value.length * (1 + (literal.length >>> 3)));
  return value.includes(literal);
}
