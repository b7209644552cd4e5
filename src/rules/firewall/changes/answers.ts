/**
 * The effect of an answer to a question on a request. A success passes, and the origin gets the requested fields; the
 * answer can ask for a challenge instead. Any other answer becomes the visitor's response, except for server errors:
 * they count as no answer, and the default of the rule decides.
 */
import { challengeKinds, isAtLeastAsStrong, type ChallengeKind } from '#rulesets';
import type { Judgement, Triggered, TriggeredAction } from '../judgement.ts';
import { askedChallenges } from '../run.ts';
import type { Answer, Change, FieldOperation, GivenAnswer, Question } from './change.ts';

type AskingChange = Change & { readonly effect: { readonly kind: 'question'; readonly question: Question } };

/** The questions of rules about a request, in their order. */
export function listQuestions(changes: readonly Change[] = []): readonly AskingChange[] {
  return changes.filter((change): change is AskingChange => change.effect.kind === 'question');
}

export function noAnswer(reason: string): Answer {
  return { kind: 'none', reason };
}

/** The judgement with the answer to one of its questions. Unless the verdict is to pass, the request is decided. */
export function addAnswer(judgement: Judgement, change: AskingChange, answer: Answer): Judgement {
  const { question } = change.effect;
  const answered: Change = { ...change, effect: { ...change.effect, answer } };
  const changes = (judgement.changes ?? []).map((each) => (each === change ? answered : each));
  const told: Judgement = { ...judgement, changes };
  if (answer.kind === 'answered' && answer.given !== undefined)
    return giveAnswer(told, change, { question, answer, given: answer.given });
  const action = answer.kind === 'none' ? question.defaultAction : (answer.action ?? 'pass');
  if (action === 'pass')
    return answer.kind === 'none' ? addTriggered(told, trigger(change, 'log', { question, answer })) : told;
  if (action === 'block') {
    const by = trigger(change, 'block', { question, answer });
    return { ...addTriggered(told, by), verdict: { kind: 'block', by } };
  }
  return challenge(told, action, (triggered) => trigger(change, triggered, { question, answer }));
}

/** The judgement with answers that are known at once, in their order, until one decides. */
export function answerQuestions(judgement: Judgement, find: (ruleId: string) => Answer): Judgement {
  let answered = judgement;
  for (const change of listQuestions(judgement.changes)) {
    if (answered.verdict.kind !== 'pass') break;
    answered = addAnswer(answered, change, find(change.ruleId));
  }
  return answered;
}

/** An assumed answer: only these properties are known, and no question was sent. */
export function assumeAnswer({ status, action, from }: AssumedAnswer): Answer {
  if (status >= failedStatusMin) return noAnswer(`its answer had the status ${status}`);
  const isGiven = status >= givenStatusMin;
  return {
    kind: 'answered',
    status,
    from,
    fields: [],
    ...(action === undefined || isGiven ? {} : { action }),
    ...(isGiven ? { given: { status, fields: [], body: new Uint8Array() } } : {}),
  };
}

interface AssumedAnswer extends Pick<AnsweredQuestion, 'status' | 'from'> {
  readonly action?: AnsweredQuestion['action'] | undefined;
}

type AnsweredQuestion = Extract<Answer, { readonly kind: 'answered' }>;

/** Answers from the first status on become the visitor's response, and those from the second on count as no answer. */
export const givenStatusMin = 300;
export const failedStatusMin = 500;

/** An answer as recordings of traffic contain it, by the `ref` of the rule that asked. */
export interface RecordedAnswer extends Pick<AnsweredQuestion, 'status'> {
  readonly ref: string;
  readonly action?: AnsweredQuestion['action'];
}

/** The answers that were given about a request; undefined if there were none. */
export function listAnswers(changes: readonly Change[] = []): readonly RecordedAnswer[] | undefined {
  const answers = changes.flatMap(({ ref, effect }) => {
    if (effect.kind !== 'question' || effect.answer?.kind !== 'answered') return [];
    const { status, action } = effect.answer;
    return [{ ref, status, ...(action === undefined ? {} : { action }) }];
  });
  return answers.length === 0 ? undefined : answers;
}

function challenge(
  judgement: Judgement,
  action: ChallengeKind,
  createTriggered: (action: TriggeredAction) => Triggered,
): Judgement {
  const { clearance } = judgement;
  const isCleared = clearance !== undefined && isAtLeastAsStrong(clearance, action);
  const by = createTriggered(askedChallenges[action][isCleared ? 'passed' : 'asked']);
  const told = addTriggered(judgement, by);
  return isCleared ? told : { ...told, verdict: { kind: 'challenge', by, challenge: action } };
}

/** A redirect, usually to a sign-in page, does not stop the request, and is therefore not an event. */
function giveAnswer(
  judgement: Judgement,
  change: AskingChange,
  { question, answer, given }: { question: Question; answer: Answer; given: GivenAnswer },
): Judgement {
  if (given.status < 400) {
    const { effect: _effect, ...by } = change;
    return { ...judgement, verdict: { kind: 'answer', by, answer: given } };
  }
  const by = trigger(change, 'block', { question, answer });
  return { ...addTriggered(judgement, by), verdict: { kind: 'block', by, answer: given } };
}

function addTriggered(judgement: Judgement, triggered: Triggered): Judgement {
  return { ...judgement, triggered: [...judgement.triggered, triggered] };
}

function trigger(
  { ruleId, rulesetId, ref, description, filter }: AskingChange,
  action: TriggeredAction,
  asked: NonNullable<Triggered['asked']>,
): Triggered {
  const filterIfAny = filter === undefined ? {} : { filter };
  return { source: 'ask', action, ruleId, rulesetId, ref, description, ...filterIfAny, asked };
}

/**
 * The changes that the answers make to the fields for the origin; undefined if no rule copies fields. A field that no
 * answer contained is removed, so that the origin cannot mistake the client's own for it.
 */
export function listCopiedFields(changes: readonly Change[] = []): readonly FieldOperation[] | undefined {
  const operations = changes.flatMap(({ effect }) => {
    if (effect.kind !== 'question') return [];
    const { question, answer } = effect;
    return [
      ...question.copiedFields.map((name) => ({ operation: 'remove', name }) as const),
      ...(answer?.kind === 'answered'
        ? answer.fields.map(([name, value]) => ({ operation: 'add', name, value }) as const)
        : []),
    ];
  });
  return operations.length === 0 ? undefined : operations;
}

/** The request of an answer in the field `gatehouse-action`; undefined for any other text. */
export function readAnsweredAction(text: string): 'pass' | ChallengeKind | undefined {
  return text === 'pass' ? text : challengeKinds.find((kind) => kind === text);
}
