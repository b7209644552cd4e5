/** What a rule can do to stop a request, as people call it. */
export const stoppingActions = {
  block: 'Block',
  managed_challenge: 'Managed challenge',
  js_challenge: 'JavaScript challenge',
  challenge: 'Interactive challenge',
} as const;
