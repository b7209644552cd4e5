/**
 * The usual values of a zone, by path and name, learned from requests that passed: their kinds of characters, their
 * lengths, and the number of networks that sent them. Judging uses this to distinguish outliers from usual values. Only
 * the shape of a value is stored, never the value.
 *
 * ```ts
 * const batch = new Batch(seed);                                  // at the edge, for some seconds
 * batch.add({ ip, path: '/product/17', values: [{ place: 'argument', name: 'id', value: '17' }], day });
 * mergeSamples(known, sample);                                    // in the object of the zone
 * const learned = new LearnedValues({ seed, wide: [], values: [describe(row)] }, 'acting');
 * learned.look('/product/18', 'argument', 'id', "18 and 'a'");   // { effect: 'raised', note: 'values of "id" …' }
 * ```
 *
 * A sample contains the networks with the smallest hashes, each with everything that it has sent. So it shows how many
 * networks there were and which share of them sends which values, and it can be merged in any order and repeatedly. One
 * network counts once, however much it sends: an attacker who wants to influence learning needs many networks.
 */
export { Batch, type LearnedBatch, type ObservedValues } from './learning/batch.ts';
export { foldName, foldPath, foldWide, isNameOfThing } from './learning/folding.ts';
export { learnedPlaces, type LearnedPlace, listLearnedValues } from './learning/listed-values.ts';
export {
  type LearnedProfile,
  type LearnedValue,
  type LearningMode,
  learningModes,
} from './learning/profile.ts';
export { describeSample, isKnownEnough } from './learning/describe.ts';
export { LearnedValues } from './learning/learned-values.ts';
export {
  countNetworks,
  decodeSample,
  dropOld,
  encodeSample,
  mergeSamples,
  type Sample,
} from './learning/sample.ts';
export { describeShape } from './learning/words.ts';
export {
  batchValuesMax,
  networksMin,
  pathCharactersMax,
  publishMs,
  requestsMin,
  sampleCharactersMax,
  valuesMax,
  waitMs,
  wideMin,
} from './learning/limits.ts';
