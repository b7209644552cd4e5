/** The cost of running expressions, except their patterns, which charge their own work: see `StepBudget`. */
import { suspectSteps } from '#work';
import type { Value } from '../values.ts';

/** Entering a part of a rule, whatever it does. */
export const stepsPerClause = 4;

/** The maximum cost of a function per byte of its argument or result. */
const stepsPerByteOfCall = 4;

/** Charges a function for a value, and returns the value. */
export function chargeCall<Charged extends Value | undefined>(value: Charged): Charged {
  if (typeof value === 'string') suspectSteps(value.length * stepsPerByteOfCall);
  else if (Array.isArray(value)) suspectSteps(value.length * stepsPerByteOfCall);
  return value;
}

/** Searches for a text by comparing it at every position, in the worst case; V8 compares several bytes at once. */
export function containsText(value: string, literal: string): boolean {
  suspectSteps(value.length * (1 + (literal.length >>> 3)));
  return value.includes(literal);
}
