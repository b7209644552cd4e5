/** Rules that ask objects and servers about a visitor, compiled: their questions about one request. */
import { lowerAscii } from '#text';
import { askedMsDefault, objectNameBytesMax, type AskParameters, toldParts } from '#rulesets';
import type { Compiling } from '../programs/rule-program.ts';
import type { Act, Asked, Question } from './change.ts';
import { compileGivenValue } from './given-value.ts';

/** The fields that servers with sessions need. */
const sessionFields = ['cookie', 'authorization'];

export function compileQuestion(parameters: AskParameters, options: Compiling['options']): Act {
  const { object, url, default_action: defaultAction } = parameters;
  if (defaultAction === undefined) throw new RangeError('it has no default_action');
  const terms = {
    defaultAction,
    timeoutMs: parameters.timeout_ms ?? askedMsDefault,
    keepSeconds: parameters.keep_seconds ?? 0,
    told: parameters.send ?? toldParts,
    sentFields: (parameters.send_headers ?? (object === undefined ? sessionFields : [])).map(lowerAscii),
    copiedFields: (parameters.copy_headers ?? []).map(lowerAscii),
  };
  if (object === undefined) {
    if (url === undefined || URL.parse(url) === null) throw new RangeError('it has neither object nor url');
    const question: Question = { ...terms, asked: { kind: 'url', url } };
    return () => ({ kind: 'question', question });
  }
  const { worker, class_name: className, name: given } = object;
  const { read } = compileGivenValue(given, options);
  return (view) => {
    const name = read(view) ?? '';
    const asked: Asked = { kind: 'object', worker, className, name };
    const problem =
      name === ''
        ? 'its name is empty'
        : name.length > objectNameBytesMax
          ? 'its name is too long'
          : undefined;
    const question: Question = { ...terms, asked, ...(problem === undefined ? {} : { problem }) };
    return { kind: 'question', question };
  };
}
