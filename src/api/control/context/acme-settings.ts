/** The authorities that issue certificates for zones: plain data, for every process of the objects. */
import { type DnsSettings, type EdgeChallenge, edgeChallenges, type ExternalAccount } from '#certificates';

export interface AcmeSettings {
  /** The URLs of their directories; after a failure the next one is used. If empty, zones get no certificates. */
  readonly directories: readonly string[];
  /** A directory for attempts after a failure, so that the limits of the others are not used up. */
  readonly staging: string | undefined;
  /** PEM certificates of authorities that the system does not trust. */
  readonly trusted: string | undefined;
  readonly externalAccount: ExternalAccount | undefined;
  /** The certificate profile, where an authority offers several. */
  readonly profile: string | undefined;
  /** How edges validate names: the next challenge after one has failed. */
  readonly challenges: readonly EdgeChallenge[];
  /** Validation by TXT records instead of by edges. */
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
