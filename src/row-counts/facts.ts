/**
 * What is known about a register (or another thing that decides jumps) at a place of the program: its
 * number, or only that it is null, not null, true, false, positive or not positive; or that it is a rowid
 * larger than any before (`grown`).
 */
export type Fact = number | 'unknown' | 'null' | 'some' | 'true' | 'false' | 'pos' | 'nonpos' | 'grown';

/** A test of a fact: what may come out, and what is known afterwards. */
export interface Outcome {
  readonly jumps: boolean;
  readonly after: Fact;
}

const isNullable = (fact: Fact): boolean => fact === 'unknown' || fact === 'null' || fact === 'nonpos';

/** `IsNull` jumps when the register is null. */
export function testNull(fact: Fact): Outcome[] {
  if (fact === 'null') return [{ jumps: true, after: 'null' }];
  if (!isNullable(fact)) return [{ jumps: false, after: fact }];
  return [
    { jumps: true, after: 'null' },
    { jumps: false, after: fact === 'unknown' ? 'some' : fact },
  ];
}

/** `Rewind` jumps when there are no rows. */
export function testRows(fact: Fact): Outcome[] {
  if (fact === 'true' || fact === 'false') return [{ jumps: fact === 'false', after: fact }];
  return [
    { jumps: false, after: 'true' },
    { jumps: true, after: 'false' },
  ];
}

/** `If` jumps when the register is true, or when it is null and `jumpsIfNull`. */
export function testTruth(fact: Fact, jumpsIfNull: boolean): Outcome[] {
  if (fact === 'null') return [{ jumps: jumpsIfNull, after: fact }];
  if (typeof fact === 'number') return [{ jumps: fact !== 0, after: fact }];
  if (fact === 'true' || fact === 'pos') return [{ jumps: true, after: fact }];
  if (fact === 'false') return [{ jumps: false, after: fact }];
  const known = fact === 'some';
  return [
    { jumps: true, after: known || !jumpsIfNull ? 'true' : 'unknown' },
    { jumps: false, after: known || jumpsIfNull ? 'false' : 'unknown' },
  ];
}

/** `IfPos` jumps when the register is above zero and takes `decrement` off it then. */
export function testPositive(fact: Fact, decrement: number): Outcome[] {
  const after = decrement === 0 ? 'pos' : 'unknown';
  if (typeof fact === 'number') {
    return fact > 0
      ? [{ jumps: true, after: decrement === 0 ? fact : 'unknown' }]
      : [{ jumps: false, after: fact }];
  }
  if (fact === 'pos') return [{ jumps: true, after }];
  if (fact === 'nonpos') return [{ jumps: false, after: fact }];
  return [
    { jumps: true, after },
    { jumps: false, after: 'nonpos' },
  ];
}

/** `IfNotZero` jumps when the register is not zero, and counts a positive one down. */
export function testNotZero(fact: Fact): Outcome[] {
  if (fact === 0) return [{ jumps: false, after: 0 }];
  if (typeof fact === 'number') return [{ jumps: true, after: fact < 0 ? fact : 'unknown' }];
  return [
    { jumps: true, after: 'unknown' },
    { jumps: false, after: 0 },
  ];
}

/** `DecrJumpZero` counts the register down and jumps when it reaches zero. */
export function testCountdown(fact: Fact): Outcome[] {
  if (fact === 1) return [{ jumps: true, after: 0 }];
  if (typeof fact === 'number') return [{ jumps: false, after: fact <= 0 ? -1 : 'unknown' }];
  return [
    { jumps: true, after: 0 },
    { jumps: false, after: 'unknown' },
  ];
}
