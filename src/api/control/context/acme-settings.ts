/** The authorities that zones get certificates from: plain data, for every process of the objects. */
import { type DnsSettings, type EdgeChallenge, edgeChallenges, type ExternalAccount } from '#certificates';

export interface AcmeSettings {
  /** The addresses of their directories; after a failure the next one is asked. None: zones get no certificates. */
  readonly directories: readonly string[];
  /** One to try with after a failure, so that the limits of the others are not used up. */
  readonly staging: string | undefined;
  /** PEM certificates of authorities that the system does not trust. */
  readonly trusted: string | undefined;
  readonly externalAccount: ExternalAccount | undefined;
  /** The kind of certificate, where an authority offers several. */
  readonly profile: string | undefined;
  /** How names are proven, by edges: the next way after one has failed. */
  readonly challenges: readonly EdgeChallenge[];
  /** How names are proven by text records, instead of by edges. */
  readonly dns: DnsSettings | undefined;
}

export const noAcme: AcmeSettings = {
  directories: [],
  staging: undefined,
  trusted: undefined,
  externalAccount: undefined,
  profile: undefined,
  challenges: edgeChallenges,
  dns: undefined,
};
