/** `gatehouse owner reset` on a directory, and the checks that it shares with a cluster. */
import { ok } from 'node:assert/strict';
import { type Attempt, checkState, type KilledCommand, oldOnly, type Parts } from '../attempt.ts';

/** If the old token no longer works, the command has replaced it without printing the new one. */
const [old] = oldOnly;
const replaced = ['the zone is not there: 403'];

export function checkRenewed(
  { single, t }: Parts,
  place: { readonly folder: string } | { readonly url: string },
): Pick<Attempt, 'checkKilled' | 'checkDone'> {
  return {
    checkKilled: async () => !checkState(await single.look(t, place), [old!, replaced]),
    async checkDone({ said }) {
      const token = /^ *token +(\S+)$/m.exec(said)?.[1];
      ok(token !== undefined, said);
      checkState(await single.look(t, { ...place, token }), oldOnly);
      checkState(await single.look(t, place), [replaced]);
    },
  };
}

export const ownerReset: KilledCommand = {
  decisive: /^write data\/journal/,
  async prepare(parts, folder) {
    parts.single.copyTo(folder);
    return { args: ['owner', 'reset', '--data', 'data'], ...checkRenewed(parts, { folder }) };
  },
};
