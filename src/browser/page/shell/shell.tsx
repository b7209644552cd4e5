/** The frame of every page: the side bar, the open zone, the command palette. */
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { getConnection, onConnectionChange } from '../api/connection.ts';
import { userQuery, zonesQuery } from '../api/queries.ts';
import { getProgram, readSession, signOut } from '../api/session.ts';
import { useAccountPages, useZonePages } from '../navigation.ts';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/forms/field.tsx';
import { showError } from '../parts/toasts.tsx';
import { AppearanceSwitches } from './appearance-switches.tsx';
import { commandKey, useKeys } from './keys.ts';
import { OutOfService } from './out-of-service.tsx';
import { SessionDialog } from './session-dialog.tsx';

/** A fifth of all code of the first page, which most visits do not need. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeySheet = lazy(async () => ({ default: (await import('./key-sheet.tsx')).KeySheet }));

export function Shell() {
  const { zoneId } = useParams({ strict: false });
  const palette = usePalette();
  const [isSheetOpen, setSheetOpen] = useState(false);
  const openSheet = (): void => setSheetOpen(true);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useKeys({
    zoneId,
    isPaused: palette.isOpen || isSheetOpen,
    onPalette: palette.onOpen,
    onSheet: openSheet,
    onType: palette.onType,
  });
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to the content
      </a>
      <header className="side" data-open={isMenuOpen}>
        <div className="side-head">
          <Link to="/" className="brand">
            <span className="brand-mark" aria-hidden="true" />
            Gatehouse
          </Link>
          <Button
            look="quiet"
            className="menu-button"
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            Menu
          </Button>
        </div>
        <div className="side-body" onClick={() => setMenuOpen(false)}>
          <Button className="palette-button" onClick={palette.onOpen}>
            Go to… <kbd>{commandKey} K</kbd>
          </Button>
          <nav aria-label="Pages">
            {zoneId !== undefined && <ZoneLinks zoneId={zoneId} />}
            <p className="side-label">{getProgram() === 'dev' ? 'This Worker' : 'Account'}</p>
            {useAccountPages().map(({ label, path }) => (
              <Link
                key={path}
                to={path}
                className="side-link"
                activeOptions={{ exact: path === '/', includeSearch: false }}
              >
                {label}
              </Link>
            ))}
          </nav>
          <SideFoot onKeys={openSheet} />
        </div>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        <OutOfService />
        <Outlet />
      </main>
      <ConnectionNote />
      <SessionDialog />
      <Suspense>
        {palette.isUsed && <Palette {...palette} zoneId={zoneId} />}
        {isSheetOpen && <KeySheet zoneId={zoneId} onClose={() => setSheetOpen(false)} />}
      </Suspense>
    </div>
  );
}

/** Whether the palette is open, and the text of its field. */
function usePalette() {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused');
  const [words, onWords] = useState('');
  const isOpen = state === 'open';
  return {
    isUsed: state !== 'unused',
    isOpen,
    words,
    onWords,
    onOpen(): void {
      if (isOpen) return;
      onWords('');
      setState('open');
    },
    onClose: (): void => setState('closed'),
    onType: isOpen ? (letter: string): void => onWords((before) => before + letter) : undefined,
  };
}

function ZoneLinks({ zoneId }: { readonly zoneId: string }) {
  return (
    <>
      <ZoneSwitch zoneId={zoneId} />
      {useZonePages().map(({ label, path }) => (
        <Link
          key={path}
          to={path}
          params={{ zoneId }}
          className="side-link"
          activeOptions={{ exact: path.endsWith('/'), includeSearch: false }}
        >
          {label}
        </Link>
      ))}
    </>
  );
}

function SideFoot({ onKeys }: { readonly onKeys: () => void }) {
  const user = useQuery({ ...userQuery, enabled: getProgram() === 'serve' });
  const leave = (): void => void signOut().catch((error: unknown) => showError('Could not sign out', error));
  return (
    <div className="side-foot stack-close">
      <AppearanceSwitches />
      <p className="soft cut">{getProgram() === 'dev' ? 'gatehouse dev' : (user.data?.email ?? ' ')}</p>
      <div className="row row-apart">
        <Button look="quiet" className="keys-button" onClick={onKeys}>
          Keys <kbd>?</kbd>
        </Button>
        <Button look="quiet" onClick={leave}>
          Sign out
        </Button>
      </div>
    </div>
  );
}

const askEveryMs = 3_000;

/** Shown while the server does not answer. */
function ConnectionNote() {
  const isLost = useSyncExternalStore(onConnectionChange, getConnection) === 'lost';
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(() => void readSession().catch(() => undefined), askEveryMs);
    return () => clearInterval(timer);
  }, [isLost]);
  return (
    <div className="connection" role="status">
      {isLost && (
        <p className="note note-warn">
          No connection to the server. The page stays as it is, and continues when the server answers.
        </p>
      )}
    </div>
  );
}

/** The open zone, and links to the same page of other zones. */
function ZoneSwitch({ zoneId }: { readonly zoneId: string }) {
  const { data: zones = [] } = useQuery(zonesQuery);
  // Otherwise, the box would show the first site instead of this one.
  const unknown = zones.some(({ id }) => id === zoneId) ? {} : { [zoneId]: 'Choose a site' };
  const navigate = useNavigate();
  return (
    <label className="zone-switch">
      <span className="side-label">Site</span>
      <Select
        options={{ ...unknown, ...Object.fromEntries(zones.map(({ id, name }) => [id, name])) }}
        value={zoneId}
        onChange={(id) => void navigate({ to: '/zones/$zoneId', params: { zoneId: id } })}
      />
    </label>
  );
}
