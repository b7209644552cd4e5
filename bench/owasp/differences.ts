/** Why libmodsecurity and our engine may match other rules on the same request. */

/** Rules about requests. Those of the package's own settings and the sums of scores are no part of CRS's verdict. */
export function isCompared(id: number): boolean {
  return id >= 910_000 && id < 949_000;
}

export function explainDifference(
  request: string,
  theirs: ReadonlySet<number>,
  ours: ReadonlySet<number>,
): string | undefined {
  void request;
  void theirs;
  void ours;
  return undefined;
}
