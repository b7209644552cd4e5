/**
 * Property tests of one commit try the same values on every machine, so that a run that was green stays green.
 * `GATEHOUSE_SEED=random npm test` tries others; a failure prints the seed with which it can be repeated.
 */
import fc from 'fast-check';

const written = process.env['GATEHOUSE_SEED'] ?? '1';
const seed = written === 'random' ? Math.trunc(Math.random() * 2 ** 31) : Number(written);
if (!Number.isSafeInteger(seed)) {
  throw new RangeError(`GATEHOUSE_SEED must be a whole number or "random", not "${written}"`);
}
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

export * from 'fast-check';
export { fc as default };
