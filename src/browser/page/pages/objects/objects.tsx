/** The stateful objects of this program: a list, and each with its current and earlier content. */
import './objects.css';
import { useSearch } from '@tanstack/react-router';
import { getProgram } from '../../api/session.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { ObjectList } from './object-list.tsx';
import { ObjectView } from './object-view.tsx';
import { StoryView } from './steps/story-view.tsx';

export function ObjectsPage() {
  const search = useSearch({ from: '/signed-in/account/objects' });
  const { class: className, object, at, undo, view = '', story } = search;
  if (object !== undefined && className !== undefined)
    return <ObjectView key={`${className} ${object}`} {...{ at, undo, view }} />;
  if (story !== undefined) return <StoryView key={story} id={story} />;
  return (
    <>
      <PageHead
        title="Objects"
        about={
          getProgram() === 'dev'
            ? 'The Durable Objects of this Worker. Open one to see and change its content, and to restore an earlier state.'
            : 'All data of this server is in stateful objects. Open one to see its content and its history.'
        }
      />
      <ObjectList className={className} view={view} />
    </>
  );
}
