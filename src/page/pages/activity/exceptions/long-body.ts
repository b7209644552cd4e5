/** Exceptions for bodies that are longer than rules can read: those that the server suggests, for the path first. */
import { client } from '../../../api/client.ts';
import type { Explained } from '../explained.ts';
import { ofRule, type Proposal } from './proposal.ts';

export function proposeForLongBody({ event, exceptions }: Explained): readonly Proposal[] {
  const [first] = exceptions;
  if (first === undefined) return [];
  const where = ofRule(event);
  const { expression } = first;
  // Where both generations of managed rules are in force, each needs an exception.
  const calls = exceptions.map(({ request }) => request);
  const isOnPath = first.alternatives !== undefined;
  return [
    {
      title: isOnPath ? `Long bodies pass on ${event.clientRequestPath}` : everywhere,
      effect: toSentence(first.effect),
      ...(isOnPath ? { expression } : {}),
      affected: { where, ...(isOnPath ? { expression } : {}) },
      async save() {
        for (const { method, path, body } of calls) await client.ask(method, path, { body });
      },
    },
    ...exceptions
      .flatMap(({ alternatives = [] }) => alternatives)
      .map(({ effect, warning, request: { method, path, body } }): Proposal => ({
        title: everywhere,
        effect: `${toSentence(effect)} ${toSentence(warning)}`,
        affected: { where },
        save: async () => void (await client.ask(method, path, { body })),
      })),
  ];
}

const everywhere = 'Long bodies pass everywhere';

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
