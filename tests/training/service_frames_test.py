from __future__ import annotations

from notbad_training.service_frames import make_service_rows


def test_every_slot_is_filled_and_every_kind_occurs() -> None:
    rows = make_service_rows(300, seed=1)

    assert len(rows) == 300
    assert not any("{" in row.text or "|" in row.text for row in rows)
    assert {row.target for row in rows} == {0.05, 0.5, 0.95}


def test_the_seed_decides() -> None:
    assert make_service_rows(20, seed=1) == make_service_rows(20, seed=1)
    assert make_service_rows(20, seed=1) != make_service_rows(20, seed=2)
