/** For tests: the small rule set of the project in a data directory, as `gatehouse crs` installs it. */
import { VersionStore } from '#seclang';
import { readTestRules } from '../src/rules/seclang/crs/testing.ts';

/** The first version that is installed is in force. */
export function installTestRules(
  data: string,
  { version = '1.0.0', rules = '' }: { readonly version?: string; readonly rules?: string } = {},
): void {
  const store = new VersionStore(data);
  const { files, data: lists } = readTestRules();
  const added = rules === '' ? [] : [{ name: 'added.conf', text: rules }];
  const found = { files: [...files, ...added], data: lists, source: 'a test', version };
  store.install(found, { version });
  if (store.readCurrent() === undefined) store.use(version);
}

export function chooseRules(data: string, version: string | undefined): void {
  const store = new VersionStore(data);
  if (version === undefined) store.useNone();
  else store.use(version);
}
