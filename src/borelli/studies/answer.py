"""The study's own answer, written into its folder: means, summary, table for statistics programs, page."""

from __future__ import annotations

from pathlib import Path

from borelli.report.study_page import write_study_page
from borelli.results.saving.manifest import PAGE as TRIAL_PAGE
from borelli.studies.design import write_json
from borelli.studies.export import export_study
from borelli.studies.ledger import Entry
from borelli.studies.load import Study
from borelli.studies.names import PAGE, SUMMARY, WIDE
from borelli.studies.subject_means import write_subject_means
from borelli.studies.summary import summary_of
from borelli.trial.report import write_report


def write_answer(study: Study, entries: list[Entry]) -> None:
    """Write what a study says; each file whole or not at all."""
    write_subject_means(study)
    summary = summary_of(study, entries)
    if study.file.pages == "outliers":
        for entry, told in zip(entries, summary["trials"], strict=True):
            doubtful = told["light"] in ("yellow", "red") or told["outlier"]
            if entry.state == "done" and doubtful and not told["page"]:
                page = write_report(entry.folder, entry.folder / TRIAL_PAGE)
                told["page"] = Path(page).relative_to(study.folder).as_posix()
    write_json(study.folder / SUMMARY, summary)
    export_study(study, study.folder / WIDE)
    write_study_page(summary, study.folder / PAGE)
