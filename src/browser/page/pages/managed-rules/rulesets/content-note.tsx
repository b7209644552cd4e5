/** The source of a ruleset's rules, if they are not part of the program. */
import type { ManagedRuleset } from '../ruleset-api.ts';

export function ContentNote({ content }: { readonly content: ManagedRuleset['content'] | undefined }) {
  if (content === undefined) return null;
  if (content.installed) return <p className="soft">Version {content.version} of the Core Rule Set</p>;
  return (
    <p className="note">
      Its rules are not installed, so it does nothing. Install them on the server:{' '}
      <code>gatehouse crs install</code>
    </p>
  );
}
