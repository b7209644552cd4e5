/**
 * Property tests of one commit use the same values on every machine, so that a passing run stays reproducible, and only
 * the first quarter of them: the same values find nothing further in unchanged code. `npm run verify -- properties`
 * uses as many other values as the tests specify, and `GATEHOUSE_SEED=random npm test` a quarter of them; a failure
 * prints the seed that reproduces it.
 */
import fc from 'fast-check';

const written = process.env['GATEHOUSE_SEED'] ?? '1';
const seed = written === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(written);
if (!Number.isSafeInteger(seed)) {
  throw new RangeError(`GATEHOUSE_SEED must be a whole number or "random", not "${written}"`);
}
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** The share of the runs that a test specifies. */
const share = Number(process.env['GATEHOUSE_RUNS'] ?? '0.25');
if (!(share > 0))
  throw new RangeError('GATEHOUSE_RUNS must be a number above 0, such as 1 for as many runs as tests say');
/**
 * Fewer would be too weak; tests that specify fewer have all of theirs, and so do those with a seed, because they count
 * what they saw.
 */
const runsMin = 10;

/** `assert` of fast-check, with that share of the runs. */
export const assert: typeof fc.assert = ((
  property: fc.IRawProperty<unknown>,
  parameters: fc.Parameters<unknown> = {},
) => {
  const { numRuns = 100, seed: own } = parameters;
  const least = own === undefined ? Math.min(numRuns, runsMin) : numRuns;
  return fc.assert(property, { ...parameters, numRuns: Math.max(Math.ceil(numRuns * share), least) });
}) as typeof fc.assert;

const seeded: typeof fc = { ...fc, assert };

export * from 'fast-check';
export { seeded as default };
