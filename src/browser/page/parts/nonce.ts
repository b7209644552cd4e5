/** The nonce that the page's policy accepts for style elements. Browsers hide the attribute, but not the property. */
export function getNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
