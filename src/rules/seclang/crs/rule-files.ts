/** The files of one version, as bytes. They are plain data, so that they can be sent to other processes. */
import { hash } from 'node:crypto';
import type { RuleSource } from '../load-rules.ts';

interface NamedText {
  /** Without a folder. */
  readonly name: string;
  /** One character per byte. */
  readonly text: string;
}

export interface RuleFiles {
  /** In the order in which they are read: the set-up file first. */
  readonly files: readonly NamedText[];
  /** The lists of words that rules name. */
  readonly data: readonly NamedText[];
}

/** A version that can be put in force. */
export interface CoreRules extends RuleFiles {
  /** `3.3.4`, `3.3.4-1+deb12u3`. */
  readonly version: string;
  /** The digest of all files. */
  readonly digest: string;
  /** RFC 3339. */
  readonly installedAt: string;
}

export function coreRulesFrom(version: string, { files, data }: RuleFiles, installedAt: string): CoreRules {
  return { version, digest: digestFiles({ files, data }), installedAt, files, data };
}

function digestFiles({ files, data }: RuleFiles): string {
  const pairs = (list: readonly NamedText[]) => list.map(({ name, text }) => [name, text]);
  return hash('sha256', JSON.stringify([pairs(files), pairs(data)]));
}

/** `inserted` is read after the set-up file, so it overrides that file's settings. */
export function toRuleSource({ files, data }: RuleFiles, inserted?: NamedText): RuleSource {
  const byName = new Map(data.map(({ name, text }) => [name, text]));
  const setup = files.filter(({ name }) => isSetupFile(name));
  const rules = files.filter(({ name }) => !isSetupFile(name));
  return {
    files: [...setup, ...(inserted === undefined ? [] : [inserted]), ...rules],
    readData(name) {
      const text = byName.get(name);
      if (text === undefined) throw new RangeError(`there is no file ${name} beside the rules`);
      return text;
    },
  };
}

export function isSetupFile(name: string): boolean {
  return /^crs-setup\.conf(?:\.example)?$/.test(name);
}
