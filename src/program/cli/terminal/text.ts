/** Escapes untrusted text for a terminal. */

/** An attacker may control rule and event text: it must not move the cursor or change colours. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- the pattern looks for them
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => {
      const hex = character.charCodeAt(0).toString(16);
      return hex.length > 2 ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
    },
  );
}
