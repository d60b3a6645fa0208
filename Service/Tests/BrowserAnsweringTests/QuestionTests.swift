import Foundation
import Testing

@testable import BrowserAnswering

/// How questions are told apart.
@Suite("Questions of browsers")
struct QuestionTests {
  @Test(
    "Every kind is known by its word, and has its number",
    arguments: [
      (#"{"request":"hello","question":1}"#, "hello"),
      (
        #"{"type":"lists","formatVersion":7,"question":1}"#,
        "lists(Optional(BrowserAnswering.Question.OfLists(formatVersion: Optional(7))))"
      ),
      (
        #"{"type":"lists","formatVersion":null,"question":1}"#,
        "lists(Optional(BrowserAnswering.Question.OfLists(formatVersion: nil)))"
      ),
      (#"{"type":"lists","formatVersion":"7","question":1}"#, "lists(nil)"),
      (#"{"type":"lists","formatVersion":-1,"question":1}"#, "lists(nil)"),
      (#"{"type":"lists","formatVersion":4294967296,"question":1}"#, "lists(nil)"),
      (#"{"type":"declarative","question":1}"#, "declarative"),
      (#"{"type":"setContentBlocker","rules":[],"question":1}"#, "script(setContentBlocker)"),
      (#"{"type":"sendMessage","question":1}"#, "script(sendMessage)"),
      (#"{"type":"nextMessage","question":1}"#, "script(nextMessage)"),
      (#"{"type":"links","question":1}"#, "links(links)"),
      (#"{"type":"linkIcons","question":1}"#, "links(linkIcons)"),
      (#"{"type":"linkSources","question":1}"#, "links(linkSources)"),
      (#"{"type":"markLinks","question":1}"#, "links(markLinks)"),
      (#"{"type":"refreshLinks","question":1}"#, "links(refreshLinks)"),
      (#"{"type":"subscribe","question":1}"#, "links(subscribe)"),
      (#"{"type":"unsubscribe","question":1}"#, "links(unsubscribe)"),
      (#"{"request":"check","url":"https://a.test/","question":1}"#, "note"),
      (#"{"type":"nothing","question":1}"#, #"unknown("nothing")"#),
      (#"{"type":"hello","question":1}"#, #"unknown("hello")"#),
      (#"{"type":"nothing","request":"check","question":1}"#, "note"),
      (#"{"type":7,"question":1}"#, "note"),
      // What the extension for Safari says under the same word is about notes.
      (#"{"request":"lists","question":1}"#, "note"),
    ]
  )
  func kinds(json: String, kind: String) {
    let question = Question(Data(json.utf8))
    #expect(
      "\(question.kind)".replacingOccurrences(
        of: "BrowserAnswering.[A-Za-z]+.Kind.",
        with: "",
        options: .regularExpression
      ) == kind
    )
    #expect(question.number == 1)
  }

  @Test("A part is named by two keys; where one is of another type, none is there")
  func parts() {
    let json = #"{"type":"part","digest":7,"offset":3,"question":"x"}"#
    let question = Question(Data(json.utf8))
    guard case .part(let part) = question.kind else {
      Issue.record("\(question.kind)")
      return
    }
    #expect(part.digest == nil)
    #expect(part.offset == nil)
    #expect(question.number == nil)
  }

  @Test(
    "What is no object is told by who answers about notes",
    arguments: ["", "[]", "7", "{", "x"]
  )
  func noObject(text: String) {
    let question = Question(Data(text.utf8))
    guard case .note = question.kind else {
      Issue.record("\(question.kind)")
      return
    }
    #expect(question.number == nil)
  }
}
