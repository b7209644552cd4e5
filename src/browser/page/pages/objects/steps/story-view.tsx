/** The story of a failed simulation, moment by moment, with the storage before and after each. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SimulationStory } from '#client';
import { useAccountId } from '../../../api/queries.ts';
import { Check } from '../../../parts/forms/field.tsx';
import { PageHead } from '../../../parts/page-head.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Command } from '../../../parts/reading/command.tsx';
import { writeWord } from '../../../parts/reading/shell-words.ts';
import { Resource } from '../../../parts/reading/resource.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { type ListedStep, StepList } from './step-list.tsx';
import { storyQuery } from './story-list.tsx';
import { compareMoments, type StoryMoment } from './story-storage.ts';

export function StoryView({ id }: { readonly id: string }) {
  const story = useQuery(storyQuery(useAccountId(), id));
  return (
    <>
      <p>
        <Link to="/objects" search={{ view: 'stories' }}>
          All simulations that failed
        </Link>
      </p>
      <PageHead title={story.data?.simulation ?? 'Simulation'} about={story.data?.file} />
      <Resource of={story} rows={8}>
        {(known) => <Story story={known} />}
      </Resource>
    </>
  );
}

function Story({ story }: { readonly story: SimulationStory }) {
  const { file, simulation, seed, replay, problem, moments, left_out: leftOut } = story;
  const [isShort, setShort] = useState(false);
  const steps = moments.map(toStep);
  const shown = isShort ? steps.filter((_, index) => isTelling(moments[index]!)) : steps;
  const placeOf = (step: ListedStep): number => Number(step.key);
  return (
    <div className="stack">
      <p className="note note-bad objects-problem">
        Seed {seed}: {problem}
      </p>
      <p>The shortest failing sequence that was found. To replay it, also under a debugger:</p>
      <Command
        text={`gatehouse simulate ${writeWord(file)} --only ${simulation} --replay ${writeWord(replay)}`}
      />
      <Check value={isShort} onChange={setShort}>
        Only writes and faults
      </Check>
      {leftOut > 0 && <p className="soft">{leftOut.toLocaleString()} earlier steps are left out.</p>}
      <StepList
        label="The sequence, from its beginning"
        className="objects-story"
        order="oldest first"
        steps={shown}
        compare={(before, after) => {
          const rows = compareMoments(moments, before && placeOf(before), placeOf(after));
          return rows.length === 0 ? (
            <p className="soft">No object has stored anything.</p>
          ) : (
            <DifferenceTable rows={rows} />
          );
        }}
      />
    </div>
  );
}

function isTelling({ is_fault: isFault, changes = [] }: StoryMoment): boolean {
  return isFault || changes.length > 0;
}

function toStep(moment: StoryMoment, index: number): ListedStep {
  const { at_ms: atMs, who, what, is_fault: isFault, changes } = moment;
  const time = `${Math.round(atMs).toLocaleString()} ms`;
  return {
    key: String(index),
    name: `${time} ${who} ${what}`.slice(0, 100),
    className: isFault && 'objects-fault',
    cells: (opener) => (
      <>
        <span>
          <span className="objects-time">{time}</span> <strong>{who}</strong>
        </span>
        <span className="wrap">{what}</span>
        <span className="row row-end">
          {isFault && <Pill tone="bad">fault</Pill>}
          {changes !== undefined && <Pill tone="info">stored</Pill>}
          {opener}
        </span>
      </>
    ),
  };
}
