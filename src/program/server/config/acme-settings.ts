/** The settings of certificate authorities, with what their files contain. */
import { readFileSync } from 'node:fs';
import { StartError } from '#base';
import { createRecordChanger, type DnsSettings, type EdgeChallenge } from '#certificates';
import type { AcmeSettings } from '#control';
import type { Settings } from './settings.ts';

export function readAcmeSettings(settings: Settings): AcmeSettings {
  const { acmeDirectories: directories, acmeStaging: staging, acmeTrust: file } = settings;
  const { acmeKeyId: keyId, acmeHmacKey: hmacKey } = settings;
  if ((keyId === undefined) !== (hmacKey === undefined)) {
    throw new StartError('acme_key_id and acme_hmac_key belong together: set both, or none');
  }
  return {
    directories,
    staging,
    profile: settings.acmeProfile,
    challenges: readChallenges(settings),
    dns: readDnsSettings(settings),
    trusted: file === undefined ? undefined : readTrusted(file),
    externalAccount: keyId === undefined ? undefined : { keyId, hmacKey: hmacKey! },
  };
}

function readChallenges({ acmeChallenges: chosen }: Settings): readonly EdgeChallenge[] {
  if (chosen.length === 0)
    throw new StartError('acme_challenges is empty: name http-01, tls-alpn-01 or both');
  return chosen as readonly EdgeChallenge[];
}

function readDnsSettings({ acmeDns: place, acmeDnsKey: key, acmeDnsWait: waitMs }: Settings) {
  if (place === undefined) return undefined;
  const dns: DnsSettings = { place, key, waitMs };
  try {
    createRecordChanger(dns);
  } catch (error) {
    throw new StartError(`acme_dns: ${(error as Error).message}`, { cause: error });
  }
  return dns;
}

function readTrusted(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`cannot read acme_trust: ${(error as Error).message}`, { cause: error });
  }
}
