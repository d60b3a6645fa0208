import CaseGenerators
import ContentBlocking
import RuleAudit

extension AuditCases {
  static func compiled() throws -> [ContentRuleList] {
    try lists.enumerated().map {
      try ContentRuleList(identifier: "list \($0)", encodedContentRuleList: Array($1.utf8))
    }
  }

  static func auditor(workers: Int = 2, chunkSize: Int = 1 << 20) throws -> Auditor {
    var auditor = Auditor(lists: try compiled())
    auditor.workers = workers
    auditor.chunkSize = chunkSize
    return auditor
  }
}
