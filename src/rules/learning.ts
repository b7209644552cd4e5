/**
 * What values of a zone usually look like, by path and name, learned from requests that passed: which kinds of characters
 * they have, how long they are, and from how many networks they came. Judging uses it to tell what is far out from what is
 * usual. Nothing here keeps a value, only its shape.
 *
 * ```ts
 * const batch = new Batch(seed);                                  // at the edge, for some seconds
 * batch.add({ ip, path: '/product/17', values: [{ place: 'argument', name: 'id', value: '17' }], day });
 * mergeSamples(known, sample);                                    // in the object of the zone
 * const learned = new LearnedValues({ seed, wide: [], values: [describe(row)] }, 'acting');
 * learned.look('/product/18', 'argument', 'id', "18 and 'a'");   // { effect: 'raised', note: 'values of "id" …' }
 * ```
 *
 * A sample has the networks whose hashes are the smallest, each with everything that it has sent. So it says how many
 * networks there were, what share of them sends what, and can be merged in any order, and twice. One network counts once,
 * however much it sends: whoever wants to teach something needs many networks.
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
