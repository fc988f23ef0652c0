import { Bone } from '../components/skeleton.tsx'

/** What stands where the card will be. */
export function ResultBones() {
  return (
    <div className="match panel" aria-hidden="true">
      <div className="match-art">
        <span className="art bone" />
      </div>
      <div className="match-words">
        <Bone width="30%" />
        <Bone width="70%" height="2rem" />
        <Bone width="50%" />
        <Bone width="40%" height="2rem" />
        <Bone height="7rem" />
        <Bone width="60%" />
        <Bone width="45%" />
      </div>
    </div>
  )
}
