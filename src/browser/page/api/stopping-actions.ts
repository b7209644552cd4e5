/** The actions that stop a request, with their names for users. */
export const stoppingActions = {
  block: 'Block',
  managed_challenge: 'Managed challenge',
  js_challenge: 'JavaScript challenge',
  challenge: 'Interactive challenge',
} as const;
