/** What the objects of the account may connect to: plain data, for every process of the objects. */
import type { OriginRulesOptions } from '#base';
import type { MailSettings } from '#outbound';

export interface OutboundSettings {
  /** The addresses that may be connected to. */
  readonly origins: OriginRulesOptions | undefined;
  /** Undefined if no mail is sent. */
  readonly mail: MailSettings | undefined;
}
