/** `ask` and `forward_auth`: an object of the user, or a server, decides about the visitor. Additions of Gatehouse. */
import { bytesOf, lowerAscii } from '#text';
import { objectNameBytesMax } from '../../limits.ts';
import type { AskParameters } from '../../model.ts';
import { checkHeaderName } from '../../written/header-fields.ts';
import type { BodyField } from '../../problem.ts';
import type { ChangeContext } from './change-context.ts';
import { checkGivenValue } from './given-value.ts';

export function checkAsk(field: BodyField<AskParameters>, checking: ChangeContext): void {
  const { action } = checking;
  const [asked, other] = action === 'ask' ? (['object', 'url'] as const) : (['url', 'object'] as const);
  if (field.at(asked).isAbsent)
    field.at(asked).refuse('missingField', `the action ${action} needs it: it is what is asked`);
  if (!field.at(other).isAbsent)
    field.at(other).refuse('notAvailable', `rules with the action ${action} have ${asked} instead`);
  checkObject(field.at('object'), checking);
  checkUrl(field.at('url'));
  for (const name of ['timeout_ms', 'default_action', 'keep_seconds'] as const) field.at(name).read();
  if (!field.at('send').isAbsent) for (const part of field.at('send').items() ?? []) part.read();
  if (field.at('default_action').isAbsent)
    field
      .at('default_action')
      .refuse('missingField', 'it is required: the action for a request without an answer');
  checkNames(field.at('send_headers'), checkSentName);
  checkNames(field.at('copy_headers'), checkCopiedName);
}

function checkObject(
  field: BodyField<NonNullable<AskParameters['object']>>,
  { home, context }: ChangeContext,
): void {
  if (field.isAbsent || !field.hasOnlyKnownFields()) return;
  const worker = field.at('worker');
  const className = field.at('class_name');
  if (worker.isThere() && !/^[\w-]+$/.test(worker.read() ?? 'a'))
    worker.refuse('invalidTarget', 'names of Workers have only letters, digits, - and _');
  if (className.isThere() && !/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(className.read() ?? 'a'))
    className.refuse('invalidTarget', 'it must be the name of a class');
  checkGivenValue(field.at('name'), { home, context, checkText: checkObjectName });
}

function checkObjectName(value: string): string | undefined {
  return bytesOf(value).length > objectNameBytesMax
    ? `it is longer than ${objectNameBytesMax} bytes`
    : undefined;
}

function checkUrl(field: BodyField<string>): void {
  const text = field.isAbsent ? undefined : field.read();
  if (text === undefined) return;
  const problem = findUrlProblem(text);
  if (problem !== undefined) field.refuse('invalidTarget', problem);
}

function findUrlProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'it must be a URL that begins with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'it must have no user name and password';
  return url.hash === '' ? undefined : 'it must have no part behind #';
}

function checkNames(
  field: BodyField<readonly string[]>,
  findProblem: (name: string) => string | undefined,
): void {
  const seen = new Set<string>();
  for (const item of field.isAbsent ? [] : (field.items() ?? [])) {
    const lower = lowerAscii(item.read() ?? '');
    const problem = lower === '' ? undefined : findProblem(lower);
    if (problem !== undefined) item.refuse('invalidTarget', problem);
    if (seen.has(lower)) item.refuse('duplicate', 'it stands there twice');
    seen.add(lower);
  }
}

/** The edge itself sets the fields that identify the caller and the visitor. */
function checkSentName(name: string): string | undefined {
  if (name === 'cookie') return undefined;
  if (/^(?:x-forwarded-|gatehouse-)/.test(name.replaceAll('_', '-')))
    return 'the edge sets this field itself';
  return checkHeaderName(name, 'set', 'http_request_late_transform');
}

function checkCopiedName(name: string): string | undefined {
  if (name.replaceAll('_', '-').startsWith('gatehouse-')) return 'the edge sets this field itself';
  return checkHeaderName(name, 'set', 'http_request_late_transform');
}
