/** Answers whether the browser has allowed it. There is no clipboard on a page that came over plain HTTP from elsewhere. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
